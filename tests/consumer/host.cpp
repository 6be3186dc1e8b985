unsigned steps_of_an_exchange();

int main()
{
    return steps_of_an_exchange() == 4 ? 0 : 1;
}
